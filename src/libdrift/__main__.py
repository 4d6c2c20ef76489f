import sys

try:
    from libdrift.cli import main

    main()
except KeyboardInterrupt:  # while all was being imported
    sys.stderr.write("libdrift: interrupted\n")
    sys.exit(130)
