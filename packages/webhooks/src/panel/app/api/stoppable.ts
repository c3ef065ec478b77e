import { useEffect, useRef, useState } from 'react';

/**
 * What takes several requests begins no further one once `mustStop` is true: the user has stopped
 * it, or has left the component.
 */
export function useStoppable() {
  const mustStop = useRef(false);
  const [isStopping, setStopping] = useState(false);
  useEffect(() => {
    mustStop.current = false;
    return () => {
      mustStop.current = true;
    };
  }, []);
  const set = (value: boolean) => {
    mustStop.current = value;
    setStopping(value);
  };
  return { mustStop, isStopping, begin: () => set(false), stop: () => set(true) };
}
