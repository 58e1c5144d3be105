"""What Markdown's marks mean, with offsets: links, headings, tags, blocks, sentences, and a text as it reads.

Several readers, since they are given different things. `markup` reads a whole note from its beginning; `links`,
`sentences` and `plain` read stretches that may begin and end anywhere; `blocks` cuts without losing a character.
"""
