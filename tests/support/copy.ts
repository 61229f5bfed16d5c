/** What people read of a source file: its JSX text and its texts of several words, with the line each begins in. */
import ts from 'typescript'

type Copy = { line: number; text: string }

const isSentence = (text: string) => /^[\s“…]*\p{Lu}.*\s/su.test(text)

/** @param onlySentences leaves out texts that do not begin with a capital letter: log lines, SQL, tokens of a class. */
export function copyOf(file: string, source: string, onlySentences: boolean): Copy[] {
  const kind = /x$/.test(file) ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true, kind)
  const found: Copy[] = []

  const add = (node: ts.Node, text: string) => {
    if (!/\s/.test(text.trim()) || (onlySentences && !isSentence(text))) return
    found.push({ line: tree.getLineAndCharacterOfPosition(node.getStart()).line + 1, text })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isTaggedTemplateExpression(node)) return
    if (ts.isJsxText(node) || ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
      add(node, node.text)
      return
    }
    if (ts.isTemplateExpression(node)) {
      add(node, [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…'))
      for (const { expression } of node.templateSpans) visit(expression)
      return
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}

/** A guide's prose: without code, without the properties of its components. */
export function proseOf(source: string): Copy[] {
  const bare = source
    .replace(/^```[\s\S]*?^```/gm, (block) => block.replace(/[^\n]/g, ''))
    .replace(/`[^`\n]*`/g, '')
    .replace(/<[A-Z][^>]*>/g, (tag) => tag.replace(/[^\n]/g, ''))
  return bare.split('\n').map((text, index) => ({ line: index + 1, text }))
}
