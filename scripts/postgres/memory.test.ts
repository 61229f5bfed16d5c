import os from 'node:os'
import { describe, expect, it } from 'vitest'
import { machineMemory, sharedBuffers } from './postmaster.mjs'

const gigabyte = 1024 ** 3

describe('the memory of the embedded server', () => {
  it.each([
    [0.25, '64MB'],
    [1, '128MB'],
    [4, '512MB'],
    [8, '1024MB'],
    [256, '1024MB'],
  ])('of a machine with %d GB is %s', (gigabytes, size) => {
    expect(sharedBuffers(gigabytes * gigabyte)).toBe(`shared_buffers=${size}`)
  })

  it('is never reckoned from more than the machine has', () => {
    expect(machineMemory()).toBeGreaterThan(0)
    expect(machineMemory()).toBeLessThanOrEqual(os.totalmem())
  })
})
