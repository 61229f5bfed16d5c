/** A table that a guide shows and no one types: made from the contract, as a page and as Markdown. */
export interface Facts {
  /** Names the table for people who cannot see it. */
  readonly label: string
  readonly heads: readonly string[]
  /** Text with `code` and [words](/path) in it. */
  readonly rows: readonly (readonly string[])[]
}

export function factsAsMarkdown({ heads, rows }: Facts): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n')
}
