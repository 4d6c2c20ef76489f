# Waits for ever without using the processor.
import time

time.sleep(10**6)
