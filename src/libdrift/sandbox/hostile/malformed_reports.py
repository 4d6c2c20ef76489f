# Sends signed reports that make no sense, to break whoever reads them.
import os
import re
import signal

box = []
signal.signal(signal.SIGUSR1, lambda number, frame: box.append(frame))
os.kill(os.getpid(), signal.SIGUSR1)
frame = box[0]
while type(frame.f_locals.get("self")).__name__ != "Trial":
    frame = frame.f_back
trial = frame.f_locals["self"]

trial.send("phase", "test_x", "call", "splendid", "")
trial.send("end", "abc", "", "")
trial.send("ready", "x", "zz")
