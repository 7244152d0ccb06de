"""Chat completions: the text that a model has written, in the messages that trainers pass on."""


def completion_text(given: object) -> object:
    """Return the text of a chat completion; anything else is returned as it is.

    A completion is a list of messages, dictionaries with ``role`` and ``content``, as in TRL. The
    last message counts. Its content is a text, or a list of parts, of which those with a ``text``
    count.
    """
    if type(given) is not list or not given:
        return given
    last = given[-1]
    if type(last) is not dict or "role" not in last or "content" not in last:
        return given
    content = last["content"]
    if type(content) is not list:
        return content
    texts = [part["text"] for part in content if type(part) is dict and "text" in part]
    return "".join(texts) if all(type(text) is str for text in texts) else given
