/** What to do about a variable that is missing. */
const remedies: Readonly<Record<string, string>> = {
  DATABASE_URL:
    'Set it to the PostgreSQL of this installation: postgresql://sandpiper_app:PASSWORD@db.example/sandpiper',
  PUBLIC_ORIGIN: 'Set it to the address that people open: https://portal.example',
  ENCRYPTION_KEYS:
    "Make a key once, and keep it: node -e \"console.log('k1:' + require('crypto').randomBytes(32).toString('base64'))\"",
  SMTP_URL: 'Set it to the SMTP server that sends your email: smtp://user:password@mail.example:587',
  MAIL_FROM: 'Set it to an address of your domain: Sandpiper <no-reply@portal.example>',
}

/** Thrown at boot with every problem at once; holds names and reasons, never values. */
export class EnvironmentError extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(`The environment is not complete:\n${problems.map((line) => `  - ${withRemedy(line)}`).join('\n')}`)
    this.name = 'EnvironmentError'
    this.problems = problems
  }
}

function withRemedy(problem: string): string {
  const [, name = ''] = /^(\w+) is missing$/.exec(problem) ?? []
  return remedies[name] ? `${problem}. ${remedies[name]}` : problem
}
