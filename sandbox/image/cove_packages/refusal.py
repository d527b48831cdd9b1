class Refusal(Exception):
    """What was asked for can't be done; the text is a sentence for whoever asked."""
