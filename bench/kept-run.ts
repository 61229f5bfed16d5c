/** A run of the bench, kept in a file and compared with another one. */
import { readFileSync, writeFileSync } from 'node:fs'
import { arch, availableParallelism, cpus, loadavg, totalmem } from 'node:os'
import type pg from 'pg'
import { compareFigures, type Figure } from './figures.ts'

export type Machine = {
  cores: number
  processor: string
  memoryGb: number
  node: string
  postgres: string
}

export type KeptRun = {
  at: string
  machine: Machine
  /** Programs that wanted to run in the minute before: what else the machine did. */
  load: number
  figures: readonly Figure[]
}

/** Asked before anything is measured. */
export function readLoad(): number {
  return loadavg()[0] ?? Number.NaN
}

export async function describeMachine(owner: pg.Pool): Promise<Machine> {
  const { rows } = await owner.query<{ version: string }>(
    `SELECT current_setting('server_version') AS version`,
  )
  return {
    cores: availableParallelism(),
    processor: `${cpus()[0]?.model.trim() || 'unknown'}, ${arch()}`,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.versions.node,
    postgres: rows[0]?.version ?? '',
  }
}

export function keepRun(file: string, run: KeptRun): void {
  writeFileSync(file, `${JSON.stringify(run, null, 2)}\n`)
}

export function readRun(file: string): KeptRun {
  return JSON.parse(readFileSync(file, 'utf8')) as KeptRun
}

const words = { up: 'MORE', down: 'LESS', noise: 'no change beyond noise', unknown: 'too few rounds to say' }

export function printComparison(before: KeptRun, after: KeptRun): void {
  console.log(`\nBeside the run of ${before.at}: medians of the rounds\n`)
  for (const key of ['cores', 'processor', 'memoryGb', 'node', 'postgres'] as const)
    if (before.machine[key] !== after.machine[key])
      console.log(`Another machine: ${key} was ${before.machine[key]}, is ${after.machine[key]}`)
  for (const { name, unit, before: from, after: to, verdict } of compareFigures(
    before.figures,
    after.figures,
  )) {
    const share = (100 * (to - from)) / from
    console.log(
      `${name.padEnd(62)}${from.toFixed(1).padStart(9)} → ${to.toFixed(1).padEnd(8)} ${unit.padEnd(10)}` +
        `${`${share > 0 ? '+' : ''}${share.toFixed(0)} %`.padStart(7)}  ${words[verdict]}`,
    )
  }
}
