import sys

LIMIT = 100
RETRIES = 3


def total(items):
    result = 0
    for item in items:
        result += item
    return result


if __name__ == "__main__":
    print(total([1, 2, 3]) > LIMIT)
    timeout = 30
