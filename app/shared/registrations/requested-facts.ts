const labels: Readonly<Record<string, string>> = {
  burst: 'Requests per second',
  sustained: 'Requests per minute',
  days: 'Days after the decision',
}

/** What a request for limits or a term wants, in words. */
export function requestedFacts(
  requested: Readonly<Record<string, unknown>>,
): [label: string, text: string][] {
  return Object.entries(requested).map(([name, value]) => [
    labels[name] ?? name,
    typeof value === 'number' ? value.toLocaleString('en-US') : String(value),
  ])
}
