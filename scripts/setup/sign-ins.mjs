/**
 * What `npm start` prints of the file that the seed keeps (seed/sign-ins-file.ts).
 * @param {string} text of demo-sign-ins.json
 * @returns {string[]} lines; none when the file was cut short
 */
export function describeSignIns(text) {
  try {
    /** @type {{ password: string, people: { role: string, email: string, path: string | null }[] }} */
    const { password, people } = JSON.parse(text)
    const lines = people.map(
      ({ role, email, path }) => `${role.padEnd(19)}${email.padEnd(42)}${path ?? 'where an app asks'}`,
    )
    return [`Password for all: ${password}`, ...lines]
  } catch {
    return []
  }
}
