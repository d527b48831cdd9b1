// One complete task from question to answer. It errs twice on the way, because the way back is what it shows.

const NEEDED = ["write_file", "execute_bash", "install_dependencies", "edit_file"];

const exampleTest = `from word_count import top_words

def test_counts_without_case():
    assert top_words("The cat. the dog", 1) == [("the", 2)]
`;

const exampleProgram = `import re
from collections import Counter

def top_words(text, n):
    return Counter(re.findall(r"\\w+", text)).most_common(n)
`;

const exampleCommand = "cd /workspace/words && python3 -m pytest -q";

const exampleEdit = { old_text: 'r"\\w+", text)', new_text: 'r"\\w+", text.lower())' };

/** Only for readers who have every tool it uses. */
export function workedExample(has: (name: string) => boolean): string {
  if (!NEEDED.every(has)) return "";
  return `User: Write me a function that finds the most frequent words of a text.

1. write_file words/test_word_count.py
${indent(exampleTest)}
2. write_file words/word_count.py
${indent(exampleProgram)}
3. execute_bash "${exampleCommand}"
   → failed, exit code 1: "No module named pytest"
4. install_dependencies ["pytest"]
   → completed: pytest installed
5. execute_bash "${exampleCommand}"
   → failed, exit code 1: "assert [('The', 1)] == [('the', 2)]"
   The error says that case is kept, so that is what changes.
6. edit_file words/word_count.py: ${JSON.stringify(exampleEdit.old_text)} → ${JSON.stringify(exampleEdit.new_text)}
7. execute_bash "${exampleCommand}"
   → completed, exit code 0: "1 passed"

Answer: The function top_words(text, n) is in /workspace/words/word_count.py. It ignores case; its test passes.`;
}

function indent(text: string): string {
  return text.trimEnd().replace(/^(?=.)/gm, "   ");
}
