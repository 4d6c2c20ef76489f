from libdrift.cli import main

main()
