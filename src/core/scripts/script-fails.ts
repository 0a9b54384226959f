/** A script threw, or took more time or memory than it may. The message is for the author of the script. */
export class ScriptFails extends Error {}

export const tooSlow = 'Expected the script to end within a second';
