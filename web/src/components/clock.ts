import { useEffect, useRef } from 'preact/hooks';

/** Calls it again and again while the page is seen: what is drawn by the clock. */
export function useClock(milliseconds: number, draw: () => void): void {
  const current = useRef(draw);
  current.current = draw;
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && current.current(), milliseconds);
    return () => clearInterval(timer);
  }, [milliseconds]);
}
