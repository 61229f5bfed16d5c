/** Parses a guide's `curl` command into the request that it makes. */

export type Variables = Readonly<Record<string, string>>

type CurlRequest = { method: string; url: string; headers: Headers; body: string | undefined }

/** Parses a command as a shell and curl do. @throws on an option that is not supported here */
export function parseCurl(command: string, variables: Variables): CurlRequest {
  const [program, ...words] = splitWords(command, variables)
  if (program !== 'curl') throw new Error(`not a curl command: ${command}`)
  const request: CurlRequest = { method: '', url: '', headers: new Headers(), body: undefined }
  let asQuery = false
  const next = (option: string) => {
    const value = words.shift()
    if (value === undefined) throw new Error(`${option} has no value`)
    return value
  }
  while (words.length > 0) {
    const word = words.shift() ?? ''
    if (word === '-X') request.method = next(word)
    // Like curl, joins several bodies to one form.
    else if (word === '-d') request.body = [request.body, next(word)].filter(Boolean).join('&')
    else if (word === '-u') request.headers.set('authorization', `Basic ${btoa(next(word))}`)
    else if (word === '-H') {
      const [, name = '', value = ''] = /^([\w-]+): (.+)$/.exec(next(word)) ?? []
      request.headers.append(name, value)
    } else if (word === '--data-urlencode')
      request.body = [request.body, encoded(next(word))].filter(Boolean).join('&')
    else if (word === '-G') asQuery = true
    else if (word === '-i') continue
    else if (word === '--compressed') request.headers.set('accept-encoding', 'gzip')
    else if (/^https?:\/\//.test(word) && request.url === '') request.url = word
    else throw new Error(`curl with ${word} is not supported`)
  }
  if (request.url === '') throw new Error(`no address: ${command}`)
  if (asQuery) {
    request.url = [request.url, request.body].filter(Boolean).join('?')
    request.body = undefined
  }
  request.method ||= request.body === undefined ? 'GET' : 'POST'
  if (request.body !== undefined && !request.headers.has('content-type'))
    request.headers.set('content-type', 'application/x-www-form-urlencoded')
  return request
}

/** Encodes the value of `name=value`, as curl does. */
function encoded(field: string): string {
  const [name = '', ...value] = field.split('=')
  return `${name}=${encodeURIComponent(value.join('='))}`
}

/** Splits words as a POSIX shell does, with quotes, `\` and `$NAME`. @throws on a variable that is not set */
function splitWords(command: string, variables: Variables): string[] {
  const words: string[] = []
  let word: string | undefined
  let quote = ''
  const text = command.replaceAll('\\\n', ' ')
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? ''
    if (quote === '' && /\s/.test(character)) {
      if (word !== undefined) words.push(word)
      word = undefined
      continue
    }
    word ??= ''
    if (character === quote) quote = ''
    else if (quote === '' && (character === '"' || character === "'")) quote = character
    else if (character === '\\' && quote !== "'") word += text[++at] ?? ''
    else if (character === '$' && quote !== "'") {
      const [name = ''] = /^[A-Z_]+/.exec(text.slice(at + 1)) ?? []
      const value = variables[name]
      if (value === undefined) throw new Error(`$${name} is not set: ${command}`)
      word += value
      at += name.length
    } else word += character
  }
  if (quote !== '') throw new Error(`a quote is open: ${command}`)
  return word === undefined ? words : [...words, word]
}
