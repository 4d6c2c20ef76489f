"""What is made of answers and runs beyond their scores: strict verdicts, repairs by linters."""
