// Preloaded into servers that a script starts: when the script is killed, its server ends as if asked to.
process.channel?.unref()
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
