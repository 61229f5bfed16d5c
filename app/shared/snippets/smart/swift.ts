import type { SnippetValue } from '../../../../server/contract/lab/smart-snippets.ts'
import { quoted, type SnippetWriter } from './writer.ts'

const base64url = [
  'func base64url(_ data: Data) -> String {',
  '    data.base64EncodedString()',
  '        .replacingOccurrences(of: "+", with: "-")',
  '        .replacingOccurrences(of: "/", with: "_")',
  '        .replacingOccurrences(of: "=", with: "")',
  '}',
]
const environment = 'let environment = ProcessInfo.processInfo.environment'

/** Swift 5.7 and later on Apple platforms. */
export const swift: SnippetWriter = {
  label: 'Swift',
  platform: 'Swift 5.7',
  comment: '//',
  authorize: ({ url, parameters }) =>
    [
      'import CryptoKit',
      'import Foundation',
      '',
      ...base64url,
      '',
      'let codeVerifier = base64url(SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) })',
      'let digest = SHA256.hash(data: Data(codeVerifier.utf8))',
      'let state = UUID().uuidString',
      '',
      `var url = URLComponents(string: ${quoted(url)})!`,
      'url.queryItems = [',
      ...parameters.map(([name, value]) => `    URLQueryItem(name: "${name}", value: ${quoted(value)}),`),
      '    URLQueryItem(name: "code_challenge", value: base64url(Data(digest))),',
      '    URLQueryItem(name: "state", value: state),',
      ']',
      '// A plus sign would be read as a space.',
      'url.percentEncodedQuery = url.percentEncodedQuery?.replacingOccurrences(of: "+", with: "%2B")',
      '',
      'print(url.string!)',
      'print("CODE_VERIFIER=\\(codeVerifier)")',
      'print("STATE=\\(state)")',
    ].join('\n'),
  assertion: ({ algorithm, issuer, audience }) =>
    [
      'import CryptoKit',
      'import Foundation',
      '',
      ...base64url,
      '',
      environment,
      `let header: [String: Any] = ["alg": "${algorithm}", "typ": "JWT", "kid": environment["KEY_ID"]!]`,
      'let claims: [String: Any] = [',
      `    "iss": ${quoted(issuer)},`,
      `    "sub": ${quoted(issuer)},`,
      `    "aud": ${quoted(audience)},`,
      '    "jti": UUID().uuidString,',
      '    "exp": Int(Date().timeIntervalSince1970) + 240,',
      ']',
      'let parts = try [header, claims].map { base64url(try JSONSerialization.data(withJSONObject: $0)) }',
      'let content = parts.joined(separator: ".")',
      '',
      'let pem = try String(contentsOfFile: environment["PRIVATE_KEY_FILE"]!, encoding: .utf8)',
      'let key = try P384.Signing.PrivateKey(pemRepresentation: pem)',
      'let signature = try key.signature(for: Data(content.utf8))',
      '',
      'print(content + "." + base64url(signature.rawRepresentation))',
    ].join('\n'),
  request: ({ method, url, accept, bearer, basic, form }) => {
    const reads = bearer || basic || form?.some(([, value]) => typeof value !== 'string')
    return [
      'import Foundation',
      '',
      ...(reads ? [environment] : []),
      `var request = URLRequest(url: URL(string: ${quoted(url)})!)`,
      ...(method === 'POST' ? ['request.httpMethod = "POST"'] : []),
      ...(accept ? [header('Accept', quoted(accept))] : []),
      ...(bearer ? [header('Authorization', `"Bearer \\(environment["${bearer}"]!)"`)] : []),
      ...(basic
        ? [
            `let credentials = ${quoted(`${basic.user}:`)} + environment["${basic.password}"]!`,
            header('Authorization', '"Basic \\(Data(credentials.utf8).base64EncodedString())"'),
          ]
        : []),
      ...(form
        ? [
            header('Content-Type', '"application/x-www-form-urlencoded"'),
            'let form = [',
            ...form.map(([name, value]) => `    "${name}": ${coded(value)},`),
            ']',
            'request.httpBody = form.map { name, value in',
            '    "\\(name)=\\(value.addingPercentEncoding(withAllowedCharacters: .alphanumerics)!)"',
            '}.joined(separator: "&").data(using: .utf8)',
          ]
        : []),
      '',
      'let (data, response) = try await URLSession.shared.data(for: request)',
      'print((response as! HTTPURLResponse).statusCode, String(decoding: data, as: UTF8.self))',
    ].join('\n')
  },
}

const header = (name: string, value: string) => `request.setValue(${value}, forHTTPHeaderField: "${name}")`

const coded = (value: SnippetValue) =>
  typeof value === 'string' ? quoted(value) : `environment["${value.variable}"]!`
