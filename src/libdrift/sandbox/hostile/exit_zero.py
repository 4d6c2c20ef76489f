# Ends the process with status 0 as soon as it is loaded.
import os

os._exit(0)
