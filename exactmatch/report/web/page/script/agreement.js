// Three or more files: every two are compared
