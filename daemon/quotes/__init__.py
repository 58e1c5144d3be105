"""Whether a quotation is where it is said to be, one by one or all of an answer; and the parts of passages to quote."""
