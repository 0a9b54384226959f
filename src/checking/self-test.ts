import type { Check, House } from '../room/house.ts';

/** Who can probe media here. What is missing is a warning: files of its kinds stay binary. */
export const mediaCheck = ({ media }: Pick<House, 'media'>): Check => ({
  name: 'media',
  description: 'What reads media files',
  async run() {
    const tools = await media.tools();
    const test = tools.map(({ name, version, missing }) => ({
      name,
      status: missing === undefined ? ('ok' as const) : ('warning' as const),
      message: [missing ?? version ?? 'there'],
    }));
    return { status: tools.some(({ missing }) => missing !== undefined) ? 'warning' : 'ok', test };
  },
});
