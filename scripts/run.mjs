// Entry of every npm script: `node scripts/run.mjs <command> [options]`. Imports nothing before the
// version is known, so that an old Node gets a sentence instead of a syntax error.
const needed = { major: 20, minor: 19 }

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < needed.major || (major === needed.major && minor < needed.minor)) {
  console.error(
    `Sandpiper needs Node ${needed.major}.${needed.minor} or newer; this is ${process.versions.node}.`,
  )
  console.error('Install a newer one from https://nodejs.org and try again.')
  process.exit(1)
}

const [name = 'start', ...options] = process.argv.slice(2)
/**
 * Commands of an installation (bin/commands.mjs) that are npm scripts, too.
 * @type {import('../bin/commands.mjs').CommandName[]}
 */
const built = ['admin', 'audit-accept', 'audit-verify', 'export-practice', 'import', 'rotate-keys']
const own = built.find((each) => each === name)
const command = own
  ? import('./setup/built-command.mjs').then(({ builtCommand }) => builtCommand(own))
  : import(`./commands/${name}.mjs`)
command
  .then(async ({ help, run }) => {
    if (options.includes('--help') || options.includes('-h')) console.log(help.trim())
    else process.exitCode = await run(options)
  })
  .catch((error) => {
    const { code, path } = error
    if (error.name === 'SetupError') console.error(`\n${error.message}`)
    else if (path && ['EACCES', 'EPERM', 'EROFS'].includes(code))
      console.error(
        `\nThis user may not read or write ${path} (${code}). Run as the user who owns it, or change its owner or mode.`,
      )
    else console.error(error)
    process.exit(1)
  })
