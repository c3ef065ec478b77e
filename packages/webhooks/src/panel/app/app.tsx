import {
  createTheme,
  DirectionProvider,
  defaultVariantColorsResolver,
  MantineProvider,
  Skeleton,
  Stack,
} from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { type AroundNavHandler, Route, Switch, useLocation, Router as WouterRouter } from 'wouter';
import { useSearch as useBrowserSearch } from 'wouter/use-browser-location';
import { createApiClient } from './api/api-client.ts';
import { type Api, ApiProvider } from './api/api-context.ts';
import { ApiError } from './api/api-error.ts';
import { createSession } from './api/session.ts';
import { useOpenDelivery } from './delivery/open-delivery.ts';
import { DetailLoading } from './detail/detail-loading.tsx';
import { SecretProvider } from './form/kept-secret.tsx';
import { ListPage } from './list/list-page.tsx';
import { useFrameOwner } from './page/frame-owner.ts';
import { PageBoundary } from './page/page-boundary.tsx';
import { PageFrame } from './page/page-frame.tsx';
import type { PanelConfig } from './panel-config.ts';
import { SelectionsProvider } from './selection/selections.tsx';
import { AnnouncementProvider } from './ui/announcements.tsx';
import { lazyComponent } from './ui/lazy-component.tsx';
import { uiTexts } from './ui/ui-texts.ts';

// Its scroll lock writes a <style> element, which the Content-Security-Policy refuses; panel.css
// has the same rule.
const OVER_PAGE = { lockScroll: false, closeButtonProps: { 'aria-label': uiTexts.close } };

const theme = createTheme({
  primaryColor: 'indigo',
  respectReducedMotion: true,
  // The text on the host's colour may be black.
  variantColorResolver: (look) => ({
    ...defaultVariantColorsResolver(look),
    ...(look.variant === 'filled' &&
      look.color === 'indigo' && { color: 'var(--mantine-primary-color-contrast)' }),
  }),
  components: {
    Badge: { defaultProps: { variant: 'light', tt: 'none', fw: 600 } },
    Modal: { defaultProps: OVER_PAGE },
    Drawer: { defaultProps: OVER_PAGE },
  },
});

const DetailPage = lazyComponent(
  async () => (await import('./detail/detail-page.tsx')).DetailPage,
  <DetailLoading />,
);
const DeliveriesPage = lazyComponent(
  async () => (await import('./deliveries/deliveries-page.tsx')).DeliveriesPage,
  <DeliveriesLoading />,
);
const CatalogPage = lazyComponent(async () => (await import('./catalog/catalog-page.tsx')).CatalogPage);
const DeliveryPanel = lazyComponent(
  async () => (await import('./delivery/delivery-panel.tsx')).DeliveryPanel,
);
const LogInPage = lazyComponent(async () => (await import('./log-in/log-in-page.tsx')).LogInPage);

const MAX_RETRIES = 2;

/** Retries only what may succeed a second later: a missing answer, or a busy server. */
function isWorthRetrying(failures: number, error: Error): boolean {
  return failures < MAX_RETRIES && error instanceof ApiError && (error.status === 0 || error.status === 503);
}

export function App({ config }: { readonly config: PanelConfig }) {
  const [queries] = useState(
    () =>
      new QueryClient({
        defaultOptions: {
          queries: { retry: isWorthRetrying, networkMode: 'always' },
          mutations: { networkMode: 'always' },
        },
      }),
  );
  const [isApiReadOnly, setApiReadOnly] = useState(false);
  const isReadOnly = config.isReadOnly || isApiReadOnly;
  const [server] = useState(() => {
    const session = createSession(config);
    return { session, request: createApiClient(config, session, setApiReadOnly) };
  });
  const around: AroundNavHandler = (navigate, to, options) => {
    // Without the slash that the router would append to the panel's path for the list.
    const go = () => navigate(to.replace(/\/(?=\?|$)/, ''), options);
    // A page that replaces its own address leaves nothing.
    if (options?.replace === true) go();
    else server.session.leave(go);
  };
  const api = useMemo<Api>(() => ({ ...server, isReadOnly }), [server, isReadOnly]);
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      {...(config.colorScheme !== null && { forceColorScheme: config.colorScheme })}
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <DirectionProvider>
        <QueryClientProvider client={queries}>
          <ApiProvider value={api}>
            <WouterRouter base={config.basePath} aroundNav={around} searchHook={useWrittenSearch}>
              <AnnouncementProvider>
                <Pages config={config} />
              </AnnouncementProvider>
            </WouterRouter>
          </ApiProvider>
        </QueryClientProvider>
      </DirectionProvider>
    </MantineProvider>
  );
}

/** The query as it is written: wouter decodes it once before its parameters are. */
function useWrittenSearch(): string {
  return useBrowserSearch().replaceAll('%', '%25');
}

function Pages({ config }: { readonly config: PanelConfig }) {
  const [path] = useLocation();
  useFrameOwner(config.embeddedBy);
  const { loginEndpoint } = config;
  const { openId } = useOpenDelivery();
  if (loginEndpoint !== null && path === '/login') {
    return (
      <PageBoundary>
        <LogInPage endpoint={loginEndpoint} config={config} />
      </PageBoundary>
    );
  }
  return (
    <SecretProvider>
      <SelectionsProvider>
        <PageFrame config={config}>
          <PageBoundary>
            <Switch>
              <Route path="/deliveries">
                <DeliveriesPage />
              </Route>
              <Route path="/events/:name?">{({ name }) => <CatalogPage name={name} />}</Route>
              <Route path="/:id">{({ id }) => <DetailPage key={id} id={Number(id)} />}</Route>
              <Route>
                <ListPage />
              </Route>
            </Switch>
            {openId !== null && <DeliveryPanel deliveryId={openId} />}
          </PageBoundary>
        </PageFrame>
      </SelectionsProvider>
    </SecretProvider>
  );
}

/** The place of the page that is loading, with the heights of what follows. */
function DeliveriesLoading() {
  return (
    <Stack gap="lg" aria-label={uiTexts.deliveries} role="status">
      <Skeleton height={56} />
      <Skeleton height={60} />
      <Skeleton height={800} />
    </Stack>
  );
}
