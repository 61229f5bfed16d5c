/** Prisma's command loads its studio and its local database with every command; package.json leaves both out. */
const Module = require('node:module')

// @ts-expect-error Node's own way to load a package is not in its types
const load = Module._load
// @ts-expect-error as above
Module._load = (/** @type {string} */ name, /** @type {unknown[]} */ ...rest) =>
  /^@prisma\/(dev|studio-core)\//.test(name) ? {} : load(name, ...rest)
