// biome-ignore-all lint/suspicious/noTemplateCurlyInString: code of another language
import type { SnippetValue } from '../../../../server/contract/lab/smart-snippets.ts'
import type { SnippetWriter } from './writer.ts'

const base64url = 'val base64url = Base64.getUrlEncoder().withoutPadding()'

/** For the JVM and Android, with the HTTP client that most apps there use. */
export const kotlin: SnippetWriter = {
  label: 'Kotlin',
  platform: 'Kotlin, JVM or Android',
  comment: '//',
  library: ({ kind }) =>
    kind === 'assertion' ? null : 'Gradle: implementation("com.squareup.okhttp3:okhttp")',
  authorize: ({ url, parameters }) =>
    program(
      [
        'java.security.MessageDigest',
        'java.security.SecureRandom',
        'java.util.Base64',
        'java.util.UUID',
        'okhttp3.HttpUrl.Companion.toHttpUrl',
      ],
      [
        base64url,
        'val random = ByteArray(32).also { SecureRandom().nextBytes(it) }',
        'val codeVerifier = base64url.encodeToString(random)',
        'val digest = MessageDigest.getInstance("SHA-256").digest(codeVerifier.toByteArray())',
        'val state = UUID.randomUUID().toString()',
        '',
        `val url = ${quote(url)}.toHttpUrl().newBuilder()`,
        ...parameters.map(([name, value]) => `    .addQueryParameter("${name}", ${quote(value)})`),
        '    .addQueryParameter("code_challenge", base64url.encodeToString(digest))',
        '    .addQueryParameter("state", state)',
        '    .build()',
        '',
        'println(url)',
        'println("CODE_VERIFIER=" + codeVerifier)',
        'println("STATE=" + state)',
      ],
    ),
  assertion: ({ algorithm, issuer, audience }) =>
    program(
      [
        'java.io.File',
        'java.security.KeyFactory',
        'java.security.Signature',
        'java.security.spec.PKCS8EncodedKeySpec',
        'java.time.Instant',
        'java.util.Base64',
        'java.util.UUID',
      ],
      [
        `val header = """{"alg":"${algorithm}","typ":"JWT","kid":"\${System.getenv("KEY_ID")}"}"""`,
        `val named = """"iss":${inRaw(issuer)},"sub":${inRaw(issuer)},"aud":${inRaw(audience)}"""`,
        'val expires = Instant.now().epochSecond + 240',
        'val claims = """{$named,"jti":"${UUID.randomUUID()}","exp":$expires}"""',
        base64url,
        'val content = listOf(header, claims).joinToString(".") { base64url.encodeToString(it.toByteArray()) }',
        '',
        'val pem = File(System.getenv("PRIVATE_KEY_FILE")).readText()',
        'val der = Base64.getMimeDecoder().decode(pem.replace(Regex("-----[A-Z ]+-----"), ""))',
        'val key = KeyFactory.getInstance("EC").generatePrivate(PKCS8EncodedKeySpec(der))',
        'val signature = Signature.getInstance("SHA384withECDSAinP1363Format").run {',
        '    initSign(key)',
        '    update(content.toByteArray())',
        '    sign()',
        '}',
        '',
        'println(content + "." + base64url.encodeToString(signature))',
      ],
    ),
  request: ({ method, url, accept, bearer, basic, form }) =>
    program(
      [
        ...(basic ? ['okhttp3.Credentials'] : []),
        ...(form ? ['okhttp3.FormBody'] : []),
        'okhttp3.OkHttpClient',
        'okhttp3.Request',
      ],
      [
        ...(form
          ? [
              'val form = FormBody.Builder()',
              ...form.map(([name, value]) => `    .add("${name}", ${coded(value)})`),
              '    .build()',
            ]
          : []),
        'val request = Request.Builder()',
        `    .url(${quote(url)})`,
        ...(accept ? [`    .header("Accept", ${quote(accept)})`] : []),
        ...(bearer ? [`    .header("Authorization", "Bearer " + System.getenv("${bearer}"))`] : []),
        ...(basic
          ? [
              `    .header("Authorization", Credentials.basic(${quote(basic.user)}, System.getenv("${basic.password}")))`,
            ]
          : []),
        ...(method === 'POST' ? ['    .post(form)'] : []),
        '    .build()',
        '',
        'OkHttpClient().newCall(request).execute().use { response ->',
        '    println("${response.code} ${response.body?.string()}")',
        '}',
      ],
    ),
}

function program(imports: readonly string[], lines: readonly string[]): string {
  return [
    ...imports.map((each) => `import ${each}`),
    '',
    'fun main() {',
    ...lines.map((line) => (line === '' ? '' : `    ${line}`)),
    '}',
  ].join('\n')
}

/** In double quotes `$name` is a variable. */
const quote = (text: string) => JSON.stringify(text).replaceAll('$', '\\$')

/** JSON text inside a raw string, where only `$` has a meaning. */
const inRaw = (text: string) => JSON.stringify(text).replaceAll('$', "${'$'}")

const coded = (value: SnippetValue) =>
  typeof value === 'string' ? quote(value) : `System.getenv("${value.variable}")`
