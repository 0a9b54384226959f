import type { Check, RoomContext } from '../room/context.ts';
import type { MediaTool } from '../spi/index.ts';

/** Check of the media tools. A missing program is only a warning: files of its formats stay binary. */
export const mediaCheck = ({ media, security }: Pick<RoomContext, 'media' | 'security'>): Check => ({
  name: 'media',
  description: 'Media probing',
  async run() {
    const own: readonly MediaTool[] = security.probers().map(({ name }) => ({ name }));
    const tools = [...own, ...(await media.tools())];
    const test = tools.map(({ name, version, missing }) => ({
      name,
      status: missing === undefined ? ('ok' as const) : ('warning' as const),
      message: [missing ?? version ?? 'there'],
    }));
    return { status: tools.every(({ missing }) => missing !== undefined) ? 'warning' : 'ok', test };
  },
});
