import { useEffect, useState } from 'preact/hooks';
import type { Sheet, Tile } from './draw.ts';

interface SheetPlace {
  readonly address: string;
  readonly tiles: readonly Tile[];
}

/** Pictures of a timeline: one sheet with all thumbnails. `key`: of what they are, if there may be some. */
export function useSheet(
  key: string | undefined,
  read: (signal: AbortSignal) => Promise<SheetPlace>,
): Sheet | 'coming' | undefined {
  const [sheet, setSheet] = useState<Sheet | 'coming' | undefined>(key === undefined ? undefined : 'coming');
  useEffect(() => {
    if (key === undefined) return undefined;
    const reading = new AbortController();
    read(reading.signal)
      .then(async ({ address, tiles }) => {
        const image = new Image();
        image.src = address;
        await image.decode();
        if (!reading.signal.aborted) setSheet({ image, tiles });
      })
      // Without pictures the timeline has its times.
      .catch(() => reading.signal.aborted || setSheet(undefined));
    return () => reading.abort();
  }, [key]);
  return sheet;
}
