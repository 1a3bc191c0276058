// Lines in a rectangle of the screen: the one way Ink's views put text there. Lines are already of the rectangle's width.
import { Box, Text } from 'ink';
import type { ReactElement } from 'react';
import { COLOR_RGB } from '../../model/cell.ts';
import type { Rect } from '../layout.ts';
import type { Line, Span } from '../spans.ts';
import type { Theme } from '../theme.ts';

export function Lines({ rect, lines, theme }: { rect: Rect; lines: readonly Line[]; theme: Theme }): ReactElement {
  return (
    <Box position="absolute" left={rect.x} top={rect.y} width={rect.cols} height={rect.rows} flexDirection="column">
      {lines.slice(0, rect.rows).map((line, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row of the screen is its index
        <Text key={row} wrap="truncate">
          {line.map((span, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: spans have no identity of their own
            <SpanText key={index} span={span} theme={theme} />
          ))}
        </Text>
      ))}
    </Box>
  );
}

function SpanText({ span, theme }: { span: Span; theme: Theme }): ReactElement {
  return (
    <Text
      color={span.color && inkColor(theme.paint[span.color])}
      backgroundColor={span.ground && inkColor(theme.paint[span.ground])}
      bold={span.bold}
      dimColor={span.dim}
      italic={span.italic}
      underline={span.underline}
    >
      {span.text}
    </Text>
  );
}

/** A colour of the theme as Ink's colour props take it. */
function inkColor(paint: number): string {
  const rgb = (paint & COLOR_RGB) === COLOR_RGB;
  return rgb ? `#${(paint & 0xffffff).toString(16).padStart(6, '0')}` : `ansi256(${paint & 0xff})`;
}
