/** A guide's table that is generated from the contract, for pages and for Markdown. */
export interface Facts {
  /** The table's name for screen readers. */
  readonly label: string
  readonly heads: readonly string[]
  /** A cell may contain `code` and [words](/path). */
  readonly rows: readonly (readonly string[])[]
}

export function factsAsMarkdown({ heads, rows }: Facts): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n')
}
