// All overlays, each at its place on a screen that is empty otherwise.
import { Box } from 'ink';
import type { ReactElement } from 'react';
import type { Keymap } from '../input/keymap.ts';
import type { Layout } from '../layout.ts';
import { boxedOverlays } from '../present.ts';
import type { ClientState } from '../store/state.ts';
import type { Theme } from '../theme.ts';
import { OverlayView } from './overlay-view.tsx';

export interface OverlaysProps {
  state: ClientState;
  layout: Layout;
  keymap: Keymap;
  theme: Theme;
}

/** As an element, for those who know no JSX. */
export function overlaysElement({ state, layout, keymap, theme }: OverlaysProps): ReactElement {
  return (
    <Box width={layout.screen.cols} height={layout.screen.rows}>
      {boxedOverlays(state, layout).map((overlay, index) => {
        const rect = layout.overlays[index];
        return rect && <OverlayView key={overlay.kind} {...{ overlay, rect, state, keymap, theme }} />;
      })}
    </Box>
  );
}
