interface KeyFacts {
  key: string
  name: string
  level: 'read_only' | 'full'
  expiresAt: Date | string
  practice: { slug: string; name: string }
  baseUrl: string
}

/** Removes line breaks from a name, because each line would start another variable. */
const oneLine = (text: string) => text.replace(/[\r\n\u2028\u2029]+/g, ' ')

/** Lines of an `.env` file: the key, its base, and what a reader of the file should know. */
export function dotEnvOf(facts: KeyFacts): string {
  const ends = new Date(facts.expiresAt).toISOString()
  return [
    `# ${oneLine(facts.name)}: ${oneLine(facts.practice.name)} (${facts.practice.slug}), ${facts.level}, expires ${ends}`,
    '# For servers only. Never commit this file or put the key into anything users can open.',
    `BASE=${facts.baseUrl}`,
    `SVC_KEY=${facts.key}`,
    '',
  ].join('\n')
}
