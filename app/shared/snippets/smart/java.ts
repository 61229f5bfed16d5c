import type { SnippetValue } from '../../../../server/contract/lab/smart-snippets.ts'
import { quoted, type SnippetWriter } from './writer.ts'

/** A file that Java 17 and later run as it is: `java Authorize.java`. */
export const java: SnippetWriter = {
  label: 'Java',
  platform: 'Java 17',
  comment: '//',
  authorize: ({ url, parameters }) =>
    program(
      'Authorize',
      [...formImports, 'java.security.*', 'java.util.Base64', 'java.util.UUID'],
      [
        'var random = new byte[32];',
        'new SecureRandom().nextBytes(random);',
        'var base64url = Base64.getUrlEncoder().withoutPadding();',
        'var codeVerifier = base64url.encodeToString(random);',
        'var digest = MessageDigest.getInstance("SHA-256").digest(codeVerifier.getBytes());',
        'var state = UUID.randomUUID().toString();',
        '',
        ...encodedForm('query', [
          ...parameters.map(([name, value]) => [name, quoted(value)] as const),
          ['code_challenge', 'base64url.encodeToString(digest)'],
          ['state', 'state'],
        ]),
        '',
        `System.out.println(${quoted(`${url}?`)} + query);`,
        'System.out.println("CODE_VERIFIER=" + codeVerifier);',
        'System.out.println("STATE=" + state);',
      ],
    ),
  assertion: ({ algorithm, issuer, audience }) =>
    program(
      'SignAssertion',
      [
        'java.nio.file.*',
        'java.security.*',
        'java.security.spec.PKCS8EncodedKeySpec',
        'java.time.Instant',
        'java.util.*',
      ],
      [
        `var header = """`,
        `    {"alg":"${algorithm}","typ":"JWT","kid":"%s"}""".formatted(System.getenv("KEY_ID"));`,
        `var claims = """`,
        `    {"iss":${inBlock(issuer)},"sub":${inBlock(issuer)},`,
        `     "aud":${inBlock(audience)},"jti":"%s","exp":%d}"""`,
        '    .formatted(UUID.randomUUID(), Instant.now().getEpochSecond() + 240);',
        'var base64url = Base64.getUrlEncoder().withoutPadding();',
        'var content = base64url.encodeToString(header.getBytes()) + "."',
        '    + base64url.encodeToString(claims.getBytes());',
        '',
        'var pem = Files.readString(Path.of(System.getenv("PRIVATE_KEY_FILE")));',
        'var der = Base64.getMimeDecoder().decode(pem.replaceAll("-----[A-Z ]+-----", ""));',
        'var key = KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(der));',
        'var signature = Signature.getInstance("SHA384withECDSAinP1363Format");',
        'signature.initSign(key);',
        'signature.update(content.getBytes());',
        '',
        'System.out.println(content + "." + base64url.encodeToString(signature.sign()));',
      ],
    ),
  request: ({ method, url, accept, bearer, basic, form }) =>
    program(
      'Call',
      [
        'java.net.URI',
        'java.net.http.*',
        ...(form ? formImports : []),
        ...(basic ? ['java.util.Base64'] : []),
      ],
      [
        ...(form
          ? [
              ...encodedForm(
                'form',
                form.map(([name, value]) => [name, coded(value)]),
              ),
              '',
            ]
          : []),
        ...(basic
          ? [
              `var credentials = ${quoted(`${basic.user}:`)} + System.getenv("${basic.password}");`,
              'var basic = Base64.getEncoder().encodeToString(credentials.getBytes());',
              '',
            ]
          : []),
        `var request = HttpRequest.newBuilder(URI.create(${quoted(url)}))`,
        ...(accept ? [`    .header("Accept", ${quoted(accept)})`] : []),
        ...(bearer ? [`    .header("Authorization", "Bearer " + System.getenv("${bearer}"))`] : []),
        ...(basic ? ['    .header("Authorization", "Basic " + basic)'] : []),
        ...(form ? ['    .header("Content-Type", "application/x-www-form-urlencoded")'] : []),
        method === 'GET' ? '    .GET()' : '    .POST(HttpRequest.BodyPublishers.ofString(form))',
        '    .build();',
        'var response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());',
        '',
        'System.out.println(response.statusCode() + " " + response.body());',
      ],
    ),
}

const formImports = [
  'java.net.URLEncoder',
  'java.nio.charset.StandardCharsets',
  'java.util.stream.*',
  'java.util.Map',
]

function program(name: string, imports: readonly string[], lines: readonly string[]): string {
  return [
    ...[...imports].sort().map((each) => `import ${each};`),
    '',
    `public class ${name} {`,
    '    public static void main(String[] args) throws Exception {',
    ...lines.map((line) => (line === '' ? '' : `        ${line}`)),
    '    }',
    '}',
  ].join('\n')
}

/** @param pairs values as code */
function encodedForm(name: string, pairs: readonly (readonly [string, string])[]): string[] {
  const last = pairs.length - 1
  return [
    `var ${name} = Stream.of(`,
    ...pairs.map(([key, value], at) => `    Map.entry("${key}", ${value})${at === last ? ')' : ','}`),
    '    .map(each -> each.getKey() + "=" + URLEncoder.encode(each.getValue(), StandardCharsets.UTF_8))',
    '    .collect(Collectors.joining("&"));',
  ]
}

const coded = (value: SnippetValue) =>
  typeof value === 'string' ? quoted(value) : `System.getenv("${value.variable}")`

/** JSON text inside a text block that is a format. */
const inBlock = (text: string) => quoted(text).replaceAll('\\', '\\\\').replaceAll('%', '%%')
