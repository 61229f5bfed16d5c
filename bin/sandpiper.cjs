#!/usr/bin/env node
// Entry of an installation: `node bin/sandpiper.cjs COMMAND`. CommonJS, because the first import() of a module starts
// libuv's threads, whose number is read only then. Old syntax, so that an old Node gets a sentence.
const needed = { major: 20, minor: 19 }
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < needed.major || (major === needed.major && minor < needed.minor)) {
  console.error(
    `Sandpiper needs Node ${needed.major}.${needed.minor} or newer; this is ${process.versions.node}.`,
  )
  process.exit(2)
}
// As of the servers that npm start runs (scripts/setup/server-process.mjs).
process.env.UV_THREADPOOL_SIZE = process.env.UV_THREADPOOL_SIZE || '8'
process.env.NODE_ENV = process.env.NODE_ENV || 'production'
// An installation has a database of its own.
process.env.SANDPIPER_EMBEDDED = ''

void import('./run-command.mjs').then(async ({ runCommand }) => {
  const code = await runCommand(process.argv.slice(2))
  if (code !== null) process.exitCode = code
})
