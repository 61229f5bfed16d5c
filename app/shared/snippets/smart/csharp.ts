import type { SnippetValue } from '../../../../server/contract/lab/smart-snippets.ts'
import { quoted, type SnippetWriter } from './writer.ts'

const base64url = [
  'static string Base64Url(byte[] bytes) =>',
  "    Convert.ToBase64String(bytes).TrimEnd('=').Replace('+', '-').Replace('/', '_');",
]

/** A program of .NET 8 with implicit usings. */
export const csharp: SnippetWriter = {
  label: 'C#',
  platform: 'C#, .NET 8',
  comment: '//',
  authorize: ({ url, parameters }) =>
    [
      'using System.Security.Cryptography;',
      'using System.Text;',
      '',
      'var codeVerifier = Base64Url(RandomNumberGenerator.GetBytes(32));',
      'var state = Base64Url(RandomNumberGenerator.GetBytes(16));',
      'var parameters = new Dictionary<string, string>',
      '{',
      ...parameters.map(([name, value]) => `    ["${name}"] = ${quoted(value)},`),
      '    ["code_challenge"] = Base64Url(SHA256.HashData(Encoding.ASCII.GetBytes(codeVerifier))),',
      '    ["state"] = state,',
      '};',
      'var query = parameters.Select(each => $"{each.Key}={Uri.EscapeDataString(each.Value)}");',
      '',
      `Console.WriteLine(${quoted(`${url}?`)} + string.Join("&", query));`,
      'Console.WriteLine("CODE_VERIFIER=" + codeVerifier);',
      'Console.WriteLine("STATE=" + state);',
      '',
      ...base64url,
    ].join('\n'),
  assertion: ({ algorithm, issuer, audience }) =>
    [
      'using System.Security.Cryptography;',
      'using System.Text;',
      'using System.Text.Json;',
      '',
      `var header = new { alg = "${algorithm}", typ = "JWT", kid = ${environment('KEY_ID')} };`,
      'var claims = new',
      '{',
      `    iss = ${quoted(issuer)},`,
      `    sub = ${quoted(issuer)},`,
      `    aud = ${quoted(audience)},`,
      '    jti = Guid.NewGuid().ToString(),',
      '    exp = DateTimeOffset.UtcNow.ToUnixTimeSeconds() + 240,',
      '};',
      'var content = Encode(header) + "." + Encode(claims);',
      '',
      'using var key = ECDsa.Create();',
      `key.ImportFromPem(File.ReadAllText(${environment('PRIVATE_KEY_FILE')}!));`,
      'var signature = key.SignData(Encoding.ASCII.GetBytes(content), HashAlgorithmName.SHA384);',
      '',
      'Console.WriteLine(content + "." + Base64Url(signature));',
      '',
      'static string Encode(object part) => Base64Url(JsonSerializer.SerializeToUtf8Bytes(part));',
      ...base64url,
    ].join('\n'),
  request: ({ method, url, accept, bearer, basic, form }) =>
    [
      ...(bearer || basic ? ['using System.Net.Http.Headers;'] : []),
      ...(basic ? ['using System.Text;'] : []),
      ...(bearer || basic ? [''] : []),
      'using var http = new HttpClient();',
      `using var request = new HttpRequestMessage(HttpMethod.${method === 'GET' ? 'Get' : 'Post'}, ${quoted(url)});`,
      ...(accept ? [`request.Headers.Accept.ParseAdd(${quoted(accept)});`] : []),
      ...(bearer
        ? [
            'request.Headers.Authorization = new AuthenticationHeaderValue(',
            `    "Bearer", ${environment(bearer)});`,
          ]
        : []),
      ...(basic
        ? [
            `var credentials = ${quoted(`${basic.user}:`)} + ${environment(basic.password)};`,
            'request.Headers.Authorization = new AuthenticationHeaderValue(',
            '    "Basic", Convert.ToBase64String(Encoding.UTF8.GetBytes(credentials)));',
          ]
        : []),
      ...(form
        ? [
            'request.Content = new FormUrlEncodedContent(new Dictionary<string, string?>',
            '{',
            ...form.map(([name, value]) => `    ["${name}"] = ${coded(value)},`),
            '});',
          ]
        : []),
      '',
      'using var response = await http.SendAsync(request);',
      'Console.WriteLine($"{(int)response.StatusCode} {await response.Content.ReadAsStringAsync()}");',
    ].join('\n'),
}

const environment = (name: string) => `Environment.GetEnvironmentVariable("${name}")`

const coded = (value: SnippetValue) =>
  typeof value === 'string' ? quoted(value) : environment(value.variable)
