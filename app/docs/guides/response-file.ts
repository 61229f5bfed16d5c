/**
 * A response that a test recorded from the running server in docs/responses/. A file there has each command of a guide,
 * followed by the response's status, headers and shortened body.
 */
export interface SampleResponse {
  readonly status: number
  /** `name: value`. */
  readonly headers: readonly string[]
  readonly body: string
}

/** @returns the responses by command, as the guide writes it */
export function parseResponses(text: string): Map<string, SampleResponse> {
  return new Map(
    text
      .split(/\n(?=> curl )/)
      .filter((part) => part.startsWith('> '))
      .map((part) => {
        const lines = part.trimEnd().split('\n')
        const start = lines.findIndex((line) => !line.startsWith('> '))
        const command = lines.slice(0, start).map((line) => line.slice(2))
        const [status = '', ...rest] = lines.slice(start)
        const end = rest.indexOf('')
        const headers = end === -1 ? rest : rest.slice(0, end)
        const body = end === -1 ? [] : rest.slice(end + 1)
        return [command.join('\n'), { status: Number(status), headers, body: body.join('\n') }]
      }),
  )
}

export function formatResponses(responses: ReadonlyMap<string, SampleResponse>): string {
  return [...responses]
    .map(([command, { status, headers, body }]) =>
      [
        ...command.split('\n').map((line) => `> ${line}`),
        `${status}`,
        ...headers,
        ...(body === '' ? [] : ['', body]),
        '',
      ].join('\n'),
    )
    .join('\n')
}
