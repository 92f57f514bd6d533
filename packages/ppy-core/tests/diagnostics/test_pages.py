from __future__ import annotations

from ppy_compiler.diagnostics.codes import all_codes, find
from ppy_compiler.diagnostics.pages import GENERATED, documents, index, page


def test_a_page_says_everything_about_its_code() -> None:
    text = page(find("E1101"))
    code = find("E1101")
    assert text.startswith(f"# E1101: {code.title}\n")
    assert "`{function}` expects `{expected}` for `{parameter}`, got `{actual}`" in text
    assert code.explanation.strip() in text
    assert f"```python\n{code.bad.strip()}\n```" in text
    assert f"```python\n{code.fixed.strip()}\n```" in text
    assert "an error, family `types` (types), exit status 1" in text
    assert "a remark" in page(find("R4001"))


def test_documents_are_one_page_a_code_and_the_index() -> None:
    names = [code.code for code in all_codes()]
    assert sorted(documents()) == sorted(["index.md", *(f"{name}.md" for name in names)])
    assert all(text.startswith(GENERATED) for text in documents().values())
    assert all(f"[{name}]({name}.md)" in index() for name in names)
