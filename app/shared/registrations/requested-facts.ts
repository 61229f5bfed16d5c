const labels: Readonly<Record<string, string>> = {
  burst: 'Requests per second',
  sustained: 'Requests per minute',
  days: 'Days after the decision',
}

/** The limits or the term that a developer requests, with labels. */
export function requestedFacts(
  requested: Readonly<Record<string, unknown>>,
): [label: string, text: string][] {
  return Object.entries(requested).map(([name, value]) => [
    labels[name] ?? name,
    typeof value === 'number' ? value.toLocaleString('en-US') : String(value),
  ])
}
