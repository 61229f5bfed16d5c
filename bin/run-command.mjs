import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { commands } from './commands.mjs'
import { helpOf, overview } from './help.mjs'
import { root, runBuilt } from './run-built.mjs'

/**
 * Installs, builds and starts nothing but the command. Exit code 2: wrong options or settings, nothing was changed.
 * @param {string[]} words
 * @returns {Promise<number | null>} its exit code; null for a server, which ends by itself
 */
export async function runCommand([name = '', ...options]) {
  if (['--help', '-h', 'help'].includes(name)) return say(overview())
  if (name === '--version') return say(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version)
  if (!isCommand(name))
    return refuse(`${name ? `unknown command ${name}` : 'Name a command'}.\n\n${overview()}`)
  if (options.includes('--help') || options.includes('-h')) return say(helpOf(name, 'sandpiper'))
  const { file, first = [], role } = commands[name]
  if (!existsSync(join(root, 'build', file)))
    return refuse(
      `This release is not built: build/${file} is missing. Run npm ci && npm run build, or copy the folder build/ of a machine with the same sources.`,
    )
  if (!role) return runBuilt(file, [...first, ...options])
  return serve(name, role, options)
}

/**
 * In this process: signals of a service manager reach the server itself.
 * @param {string} name
 * @param {readonly string[]} roles that the command may run as, the first unless ROLE says otherwise
 * @param {string[]} options
 */
async function serve(name, roles, options) {
  try {
    parseArgs({ args: options, options: {} })
  } catch {
    return refuse(
      `sandpiper ${name} takes no options and was given ${options.join(' ')}. Settings are environment variables: sandpiper ${name} --help`,
    )
  }
  const role = process.env.ROLE || roles[0] || ''
  if (!roles.includes(role))
    return refuse(
      `ROLE is ${role}, and sandpiper ${name} runs as ${roles.join(', ')}. Unset ROLE, or use sandpiper ${name === 'work' ? 'serve' : 'work'}.`,
    )
  process.env.ROLE = role
  process.setSourceMapsEnabled(true)
  process.argv.splice(2)
  await import(pathToFileURL(join(root, 'build', commands.serve.file)).href)
  return null
}

/** @param {string} name @returns {name is import('./commands.mjs').CommandName} */
function isCommand(name) {
  return Object.hasOwn(commands, name)
}

/** @param {string} text */
function say(text) {
  process.stdout.write(`${text}\n`)
  return 0
}

/** @param {string} text */
function refuse(text) {
  process.stderr.write(`${text}\n`)
  return 2
}
