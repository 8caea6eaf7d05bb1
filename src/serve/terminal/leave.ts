/**
 * Ends the process once everything is printed. A tool that was left behind at its deadline may hold timers and sockets
 * for ever, and nobody waits for it.
 */
export function leaveWhenPrinted(): void {
  process.stderr.write('', () => process.stdout.write('', () => process.exit()));
}
