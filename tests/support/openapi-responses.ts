/** Whether a response is what the OpenAPI document says, formats asserted. */
import { z } from 'zod'
import type { Deprecations } from '../../server/contract/http/deprecations.ts'
import { createOpenApi } from '../../server/contract/rest/openapi.ts'

type Content = Record<string, { schema: object }>
type Operation = { responses: Record<string, { $ref?: string; content?: Content }> }
type Document = {
  paths: Record<string, Record<string, Operation>>
  components: { responses: Record<string, { content?: Content }>; schemas: Record<string, object> }
}

/**
 * @returns what of a response the document does not say; empty for a response that keeps it, and for addresses that it
 * does not describe
 */
export function createResponseCheck(environment: 'sandbox' | 'production', deprecations?: Deprecations) {
  const { paths, components } = createOpenApi({
    restOrigin: 'https://portal.example',
    environment,
    ...(deprecations && { deprecations }),
  }) as unknown as Document
  const templates = Object.keys(paths).map((template) => ({
    template,
    pattern: new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`),
  }))
  const validators = new Map<object, z.ZodType>()

  function validatorOf(schema: object): z.ZodType {
    const known = validators.get(schema)
    if (known) return known
    const moved = JSON.parse(
      JSON.stringify({ ...schema, $defs: components.schemas }).replaceAll(
        '#/components/schemas/',
        '#/$defs/',
      ),
    )
    const made = z.fromJSONSchema(moved)
    validators.set(schema, made)
    return made
  }

  return function problemsOf(
    { method, path }: { method: string; path: string },
    { status, headers, text }: { status: number; headers: Headers; text: string },
  ): string[] {
    // Neither is an operation's: what tells the methods, and a response broken on purpose.
    if (method === 'OPTIONS' || headers.has('x-sandbox-fault-injected')) return []
    const [plain = ''] = path.split('?')
    const item = paths[templates.find(({ pattern }) => pattern.test(plain))?.template ?? '']
    if (item === undefined) return []
    // A method that the path does not have is refused as the path's others are.
    const own = item[method.toLowerCase()]
    const others = own ? [] : [item, ...(status === 401 ? Object.values(paths) : [])].flatMap(Object.values)
    const operations: Operation[] = own ? [own] : others
    const found = operations.map((each) => each.responses[status]).find((each) => each !== undefined)
    if (found === undefined) return [`${method} ${plain}: ${status} is not in the document`]
    const { content } = found.$ref ? (components.responses[found.$ref.split('/').at(-1) ?? ''] ?? {}) : found
    if (text === '' || content === undefined) return []
    const [type = ''] = (headers.get('content-type') ?? '').split(';')
    const described = content[type]
    if (described === undefined) return [`${method} ${plain}: ${status} as ${type} is not in the document`]
    if (type !== 'application/json') return []
    const { error } = validatorOf(described.schema).safeParse(JSON.parse(text))
    return (error?.issues ?? []).map(
      (issue) => `${method} ${plain}: ${status}, ${issue.path.join('.')}: ${issue.message}`,
    )
  }
}
