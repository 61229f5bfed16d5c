import type { SnippetValue } from '../../../../server/contract/lab/smart-snippets.ts'
import { quoted, type SnippetWriter } from './writer.ts'

/** The standard library of Python 3; a library signs assertions. */
export const python: SnippetWriter = {
  label: 'Python',
  platform: 'Python 3',
  comment: '#',
  library: ({ kind }) => (kind === 'assertion' ? 'pip install "pyjwt[crypto]"' : null),
  authorize: ({ url, parameters }) =>
    [
      'import hashlib',
      'import secrets',
      'from base64 import urlsafe_b64encode',
      'from urllib.parse import urlencode',
      '',
      'code_verifier = secrets.token_urlsafe(32)',
      'digest = hashlib.sha256(code_verifier.encode()).digest()',
      'state = secrets.token_urlsafe(16)',
      '',
      'query = urlencode({',
      ...parameters.map(([name, value]) => `    "${name}": ${quoted(value)},`),
      '    "code_challenge": urlsafe_b64encode(digest).rstrip(b"=").decode(),',
      '    "state": state,',
      '})',
      '',
      `print(${quoted(`${url}?`)} + query)`,
      'print("CODE_VERIFIER=" + code_verifier)',
      'print("STATE=" + state)',
    ].join('\n'),
  assertion: ({ algorithm, issuer, audience }) =>
    [
      'import os',
      'import time',
      'import uuid',
      '',
      'import jwt',
      '',
      'with open(os.environ["PRIVATE_KEY_FILE"]) as file:',
      '    private_key = file.read()',
      '',
      'claims = {',
      `    "iss": ${quoted(issuer)},`,
      `    "sub": ${quoted(issuer)},`,
      `    "aud": ${quoted(audience)},`,
      '    "jti": str(uuid.uuid4()),',
      '    "exp": int(time.time()) + 240,',
      '}',
      `headers = {"typ": "JWT", "kid": os.environ["KEY_ID"]}`,
      '',
      `print(jwt.encode(claims, private_key, algorithm="${algorithm}", headers=headers))`,
    ].join('\n'),
  request: ({ url, accept, bearer, basic, form }) =>
    [
      ...(bearer || basic || form?.some(([, value]) => typeof value !== 'string') ? ['import os'] : []),
      ...(basic ? ['from base64 import b64encode'] : []),
      ...(form ? ['from urllib.parse import urlencode'] : []),
      'from urllib.request import Request, urlopen',
      '',
      ...(form
        ? [
            'form = urlencode({',
            ...form.map(([name, value]) => `    "${name}": ${coded(value)},`),
            '})',
            `request = Request(${quoted(url)}, data=form.encode())`,
          ]
        : [`request = Request(${quoted(url)})`]),
      ...(accept ? [`request.add_header("Accept", ${quoted(accept)})`] : []),
      ...(bearer ? [`request.add_header("Authorization", "Bearer " + os.environ["${bearer}"])`] : []),
      ...(basic
        ? [
            `credentials = ${quoted(`${basic.user}:`)} + os.environ["${basic.password}"]`,
            'request.add_header("Authorization", "Basic " + b64encode(credentials.encode()).decode())',
          ]
        : []),
      '',
      'with urlopen(request) as response:',
      '    print(response.status, response.read().decode())',
    ].join('\n'),
}

const coded = (value: SnippetValue) =>
  typeof value === 'string' ? quoted(value) : `os.environ["${value.variable}"]`
