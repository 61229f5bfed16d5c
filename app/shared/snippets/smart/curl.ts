import type { SnippetValue } from '../../../../server/contract/lab/smart-snippets.ts'
import type { SnippetWriter } from './writer.ts'

const base64url = `base64url() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }`

/** For bash, with openssl. */
export const curl: SnippetWriter = {
  label: 'curl',
  platform: 'Bash with curl and openssl',
  comment: '#',
  authorize: ({ url, parameters }) => {
    const [first, ...rest] = parameters.map((pair) => new URLSearchParams([[...pair]]).toString())
    return [
      base64url,
      'CODE_VERIFIER=$(openssl rand 32 | base64url)',
      'CODE_CHALLENGE=$(printf %s "$CODE_VERIFIER" | openssl dgst -sha256 -binary | base64url)',
      'STATE=$(openssl rand -hex 16)',
      '',
      `URL=${quote(`${url}?${first}`)}`,
      ...rest.map((pair) => `URL+=${quote(`&${pair}`)}`),
      'URL+="&code_challenge=$CODE_CHALLENGE"',
      'URL+="&state=$STATE"',
      '',
      'echo "$URL"',
      'echo "CODE_VERIFIER=$CODE_VERIFIER"',
      'echo "STATE=$STATE"',
    ].join('\n')
  },
  assertion: ({ algorithm, issuer, audience }) => {
    const named = JSON.stringify({ iss: issuer, sub: issuer, aud: audience }).slice(1, -1)
    return [
      base64url,
      `HEADER=$(printf '{"alg":"${algorithm}","typ":"JWT","kid":"%s"}' "$KEY_ID" | base64url)`,
      `CLAIMS=$(printf '{%s,"jti":"%s","exp":%s}' ${quote(named)} \\`,
      '  "$(openssl rand -hex 16)" "$(($(date +%s) + 240))" | base64url)',
      '',
      '# openssl signs in DER; a JWT wants the two numbers, 48 bytes each.',
      'NUMBERS=$(printf %s "$HEADER.$CLAIMS" |',
      '  openssl dgst -sha384 -sign "$PRIVATE_KEY_FILE" | openssl asn1parse -inform DER |',
      `  awk -F: '/INTEGER/ { printf "%96s", $NF }' | tr ' ' 0)`,
      `SIGNATURE=$(printf '%b' "$(printf %s "$NUMBERS" | sed 's/../\\\\x&/g')" | base64url)`,
      '',
      'echo "$HEADER.$CLAIMS.$SIGNATURE"',
    ].join('\n')
  },
  request: ({ url, accept, bearer, basic, form = [] }) =>
    [
      `curl --fail-with-body ${quote(url)}`,
      ...(accept ? [`--header ${quote(`Accept: ${accept}`)}`] : []),
      ...(bearer ? [`--header "Authorization: Bearer $${bearer}"`] : []),
      ...(basic ? [`--user ${quote(`${basic.user}:`)}"$${basic.password}"`] : []),
      ...form.map(([name, value]) => `--data-urlencode ${pair(name, value)}`),
    ].join(' \\\n  '),
}

const pair = (name: string, value: SnippetValue) =>
  typeof value === 'string' ? quote(`${name}=${value}`) : `"${name}=$${value.variable}"`

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
