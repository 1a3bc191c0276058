// Lines in a rectangle of the screen: the one way views put text there. Lines are already of the rectangle's width.
import { Box, Text } from 'ink';
import type { ReactElement } from 'react';
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
      color={span.color && theme.paint[span.color].ink}
      backgroundColor={span.ground && theme.paint[span.ground].ink}
      bold={span.bold}
      dimColor={span.dim}
      italic={span.italic}
      underline={span.underline}
    >
      {span.text}
    </Text>
  );
}
