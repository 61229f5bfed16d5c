/** Debian's nginx in front of a server, with TLS, as deploy/nginx.conf sets it up. */
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findFreePort } from '../../scripts/setup/free-port.mjs'
import { makeCertificate } from './certificate.ts'

/** The name in the file. */
export const proxiedName = 'portal.example'

export type FrontProxy = {
  port: number
  accessLog: () => string
  /** As the block itself and nginx write them. */
  ownLogs: () => string
  stop: () => Promise<void>
  /** kill -9 of its only process. */
  kill: () => Promise<void>
}

/** Debian keeps it where an ordinary user's PATH does not look. */
const places = ['nginx', '/usr/sbin/nginx', '/usr/local/sbin/nginx']

/** @returns null where nginx is not installed */
export function findNginx(): string | null {
  return places.find((program) => spawnSync(program, ['-v']).status === 0) ?? null
}

/** What operators copy. */
export const nginxSite = () => readFileSync('deploy/nginx.conf', 'utf8')

/**
 * The same block where OpenSSL forbids nothing: what it refuses there it refuses by itself.
 * @param protocols in place of the block's own
 */
export function blockBeforeOldOpenssl(protocols?: string): string {
  const own = /ssl_protocols [^;]+;/
  const line = protocols === undefined ? own.exec(nginxSite())?.[0] : `ssl_protocols ${protocols};`
  return replaceOnce(nginxSite(), own, `${line}\n  ssl_ciphers DEFAULT@SECLEVEL=0;`)
}

type Options = {
  block: string
  serverPort: number | readonly number[]
  /** Is filled with nginx's own files. */
  folder: string
  /** Of 127.0.0.1; a free one unless told. */
  port?: number
  /** One made for the block's name unless told. */
  certificate?: { key: string; cert: string }
}

/** Runs the block with a certificate. Of the block only the ports change, and how many servers there are. */
export async function startNginx(program: string, options: Options): Promise<FrontProxy> {
  const { block, serverPort, folder } = options
  mkdirSync(folder, { recursive: true })
  const port = options.port ?? (await findFreePort())
  const { key, cert } = options.certificate ?? makeCertificate([proxiedName])
  writeFileSync(join(folder, 'key.pem'), key, { mode: 0o600 })
  writeFileSync(join(folder, 'cert.pem'), cert)
  const listening = replaceOnce(block, /listen 443 ssl;/, `listen 127.0.0.1:${port} ssl;`)
  const certified = listening
    .replace('/etc/sandpiper/tls/fullchain.pem', join(folder, 'cert.pem'))
    .replace('/etc/sandpiper/tls/privkey.pem', join(folder, 'key.pem'))
  const logs = `access_log ${folder}/access.log kept;\n  access_log ${folder}/own-access.log`
  const logged = replaceOnce(certified, /access_log \/var\/log\/nginx\/access\.log/, logs)
  const lines = [serverPort].flat().map((each) => `  server 127.0.0.1:${each} fail_timeout=2s;\n`)
  const server = replaceOnce(
    logged.replace('/var/log/nginx', folder),
    /(?: {2}server 127\.0\.0\.1:300\d fail_timeout=2s;\n)+/,
    lines.join(''),
  )
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `  ${name}_temp_path ${folder}/${name};`)
    .join('\n')
  const file = join(folder, 'nginx.conf')
  writeFileSync(
    file,
    `daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events {}
http {
${folders}
  log_format kept '$request_method $uri $status $server_protocol connection=$connection requests=$connection_requests retry-after=$sent_http_retry_after';
  access_log ${folder}/access.log kept;
${server}}
`,
  )
  const child = spawn(program, ['-c', file, '-p', folder], { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (chunk) => (said += chunk))
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`nginx did not start:\n${said}`)
    await delay(50)
  }
  return {
    port,
    accessLog: () => readFileSync(join(folder, 'access.log'), 'utf8'),
    ownLogs: () =>
      ['own-access.log', 'error.log'].map((name) => readFileSync(join(folder, name), 'utf8')).join(''),
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}

function replaceOnce(text: string, pattern: RegExp, replacement: string): string {
  if (text.split(new RegExp(pattern, 'g')).length !== 2)
    throw new Error(`deploy/nginx.conf does not hold ${pattern} exactly once`)
  return text.replace(pattern, () => replacement)
}

async function accepts(port: number): Promise<boolean> {
  const { connect } = await import('node:net')
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket.destroy() && true))
    socket.once('error', () => resolve(false))
  })
}
