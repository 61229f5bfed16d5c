/** Calls of the sandbox's REST API, from a server's side: no browser, no cookies. */

type Answer = {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever came
  body: any
}

/** @param key left out: the request carries no credential */
export async function callSandbox(origin: string, path: string, key?: string): Promise<Answer> {
  const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` }
  const response = await fetch(`${origin}/sandbox/api/v1${path}`, { headers })
  return { status: response.status, headers: response.headers, body: await response.json() }
}
