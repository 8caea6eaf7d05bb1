import { typeError, valueError } from '../python/exception.ts';
import { make } from '../python/model.ts';
import { getDict, getItem, isLess, lower, setItem } from '../python/operate.ts';
import { equal, isTrue, type PythonDict, type PythonValue } from '../python/value.ts';
import {
  canSendPictures,
  deviceOf,
  hasMobileData,
  searchNetwork,
  surroundingsOf,
  testSpeed,
} from './network.ts';
import { apnSettings, networkModes, permissionNames, vpnDetails } from './phone-model.ts';
import type { Method, Toolkit, World } from './toolkit.ts';

function action(act: (world: World) => void): Method {
  return {
    parameters: [],
    run(world) {
      act(world);
      return null;
    },
  };
}

/** A check of one value against what is expected of it. */
function expectation(read: (world: World) => PythonValue): Method {
  return { parameters: ['expected_status'], run: (world, expected) => equal(read(world), expected!) };
}

function switched(name: string, { searches = true } = {}): (world: World) => void {
  return (world) => {
    deviceOf(world).set(name, !isTrue(deviceOf(world).get(name)!));
    if (searches) searchNetwork(world);
  };
}

const toggleData = switched('data_enabled');
const toggleRoaming = switched('roaming_enabled');
const toggleDataSaver = switched('data_saver_mode', { searches: false });
const toggleWifiCalling = switched('wifi_calling_enabled', { searches: false });

/** Toggles, and once more where that was the wrong way. */
function turn(name: string, toggle: (world: World) => void, isOn: boolean): Method {
  return action((world) => {
    toggle(world);
    if (isTrue(deviceOf(world).get(name)!) !== isOn) toggle(world);
  });
}

/** What the person of the carrier's customer can do with their phone. */
export const phone: Toolkit = {
  reads: [
    'can_send_mms',
    'check_apn_settings',
    'check_app_permissions',
    'check_app_status',
    'check_data_restriction_status',
    'check_installed_apps',
    'check_network_mode_preference',
    'check_network_status',
    'check_payment_request',
    'check_sim_status',
    'check_status_bar',
    'check_vpn_status',
    'check_wifi_calling_status',
    'check_wifi_status',
    'run_speed_test',
  ],
  writes: {
    set_network_mode_preference: { parameters: ['mode'], run: setNetworkMode },
    toggle_airplane_mode: action(toggleAirplaneMode),
    reseat_sim_card: action((world) => seatCard(world, true)),
    toggle_data: action(toggleData),
    toggle_roaming: action(toggleRoaming),
    toggle_data_saver_mode: action(toggleDataSaver),
    set_apn_settings: { parameters: ['apn_settings'], run: setApn },
    reset_apn_settings: action((world) => {
      setItem(getItem(deviceOf(world), 'active_apn_settings'), 'reset_at_reboot', true);
      searchNetwork(world);
    }),
    toggle_wifi: action(toggleWifi),
    toggle_wifi_calling: action(toggleWifiCalling),
    connect_vpn: action(connectVpn),
    disconnect_vpn: action(disconnectVpn),
    grant_app_permission: { parameters: ['app_name', 'permission'], run: permit(true) },
    reboot_device: action(reboot),
    make_payment: action((world) => {
      const request = getItem(surroundingsOf(world), 'payment_request');
      if (request !== null) setItem(request, 'paid', true);
    }),
  },
  functions: {
    set_user_info: {
      parameters: ['name', 'phone_number'],
      run(world, name, number) {
        surroundingsOf(world).set('name', name!);
        return surroundingsOf(world).set('phone_number', number!);
      },
    },
    set_user_location: {
      parameters: ['abroad'],
      run: (world, abroad) => surroundingsOf(world).set('is_abroad', abroad!),
    },
    simulate_network_search: action(searchNetwork),
    turn_airplane_mode_on: turn('airplane_mode', toggleAirplaneMode, true),
    turn_airplane_mode_off: turn('airplane_mode', toggleAirplaneMode, false),
    unseat_sim_card: action((world) => seatCard(world, false)),
    lock_sim_card: { parameters: ['mode'], run: lockCard },
    turn_data_on: action((world) => deviceOf(world).set('data_enabled', true)),
    turn_data_off: turn('data_enabled', toggleData, false),
    turn_roaming_on: turn('roaming_enabled', toggleRoaming, true),
    turn_roaming_off: turn('roaming_enabled', toggleRoaming, false),
    turn_data_saver_mode_on: turn('data_saver_mode', toggleDataSaver, true),
    turn_data_saver_mode_off: turn('data_saver_mode', toggleDataSaver, false),
    break_apn_settings: action((world) => {
      setItem(getItem(deviceOf(world), 'active_apn_settings'), 'apn_name', 'broken');
      searchNetwork(world);
    }),
    break_apn_mms_setting: action((world) =>
      setItem(getItem(deviceOf(world), 'active_apn_settings'), 'mmsc_url', null),
    ),
    set_wifi_calling: {
      parameters: ['enabled', 'mms_over_wifi'],
      optional: { mms_over_wifi: null },
      run: setWifiCalling,
    },
    break_vpn: action((world) => {
      connectVpn(world);
      setItem(getItem(deviceOf(world), 'vpn_details'), 'server_performance', 'poor');
    }),
    remove_app_permission: { parameters: ['app_name', 'permission'], run: permit(false) },
    assert_airplane_mode_status: expectation((world) => deviceOf(world).get('airplane_mode')!),
    assert_service_status: {
      parameters: ['expected_status'],
      run(world, expected) {
        if (!networkStatuses.includes(expected as string)) throw valueError('not a valid NetworkStatus');
        return deviceOf(world).get('network_connection_status') === expected;
      },
    },
    assert_mobile_data_status: expectation(hasMobileData),
    assert_mobile_roaming_status: expectation((world) => deviceOf(world).get('roaming_enabled')!),
    assert_mobile_data_saver_mode_status: expectation((world) => deviceOf(world).get('data_saver_mode')!),
    assert_internet_speed: {
      parameters: ['expected_speed', 'expected_desc'],
      optional: { expected_desc: null },
      run(world, speed, description) {
        const tested = testSpeed(world);
        const isFast = !isLess(tested.speed, speed!);
        if (description === null) return isFast;
        return isFast && tested.description === lower(description!);
      },
    },
    assert_internet_not_excellent: {
      parameters: [],
      run: (world) => testSpeed(world).description !== 'excellent',
    },
    assert_can_send_mms: expectation(canSendPictures),
    assert_mobile_data_usage_exceeded: expectation((world) =>
      surroundingsOf(world).get('mobile_data_usage_exceeded')!,
    ),
  },
};

const networkStatuses = ['connected', 'searching', 'no_service', 'emergency_only'];

function setNetworkMode(world: World, mode: PythonValue): PythonValue {
  if (typeof mode === 'string' && !networkModes.includes(mode)) return null;
  deviceOf(world).set('network_mode_preference', mode);
  searchNetwork(world);
  // What is not text is stored before the benchmark finds that it has no name to show.
  if (typeof mode !== 'string' && mode !== null) throw typeError('the mode has no value');
  return null;
}

function disconnectWifi(device: PythonDict): void {
  device.set('wifi_connected', false);
  device.set('wifi_ssid', null);
  device.set('wifi_signal_strength', 'none');
}

function toggleAirplaneMode(world: World): void {
  const device = deviceOf(world);
  const isOn = isTrue(device.get('airplane_mode')!);
  device.set('airplane_mode', !isOn);
  if (!isOn || isTrue(device.get('wifi_enabled')!)) disconnectWifi(device);
  if (!isOn) disconnectVpn(world);
  searchNetwork(world);
}

function seatCard(world: World, isSeated: boolean): void {
  deviceOf(world).set('sim_card_missing', !isSeated);
  searchNetwork(world);
}

function lockCard(world: World, mode: PythonValue): PythonValue {
  if (mode === 'pin' || mode === 'puk') deviceOf(world).set('sim_card_status', `locked_${mode}`);
  searchNetwork(world);
  return null;
}

function setApn(world: World, settings: PythonValue): PythonValue {
  const device = deviceOf(world);
  if (!(settings instanceof Map)) {
    // What is not a record is stored before the benchmark finds that it has no name to show.
    device.set('active_apn_settings', settings);
    throw typeError('the settings have no name');
  }
  device.set('active_apn_settings', apnSettings.convert(settings));
  searchNetwork(world);
  return null;
}

function toggleWifi(world: World): void {
  const device = deviceOf(world);
  if (isTrue(device.get('airplane_mode')!)) return;
  const isOn = !isTrue(device.get('wifi_enabled')!);
  device.set('wifi_enabled', isOn);
  if (!isOn) disconnectWifi(device);
}

function setWifiCalling(world: World, enabled: PythonValue, pictures: PythonValue): PythonValue {
  if (!equal(deviceOf(world).get('wifi_calling_enabled')!, enabled)) toggleWifiCalling(world);
  if (pictures !== null) deviceOf(world).set('wifi_calling_mms_over_wifi', pictures);
  return null;
}

function connectVpn(world: World): void {
  const device = deviceOf(world);
  if (isTrue(device.get('vpn_connected')!)) return;
  device.set('vpn_connected', true);
  const details = { server_address: '192.168.1.1', protocol: 'OpenVPN', server_performance: 'excellent' };
  device.set('vpn_details', make(vpnDetails, details));
}

function disconnectVpn(world: World): void {
  const device = deviceOf(world);
  if (!isTrue(device.get('vpn_connected')!)) return;
  device.set('vpn_connected', false);
  device.set('vpn_details', null);
}

function permit(isAllowed: boolean): Method['run'] {
  return (world, appName, permission) => {
    const apps = getDict(deviceOf(world), 'app_statuses');
    const name = lower(permission!);
    const app = typeof appName === 'string' ? apps.get(appName) : undefined;
    if (app !== undefined && permissionNames.includes(name))
      setItem(getItem(app, 'permissions'), name, isAllowed);
    return null;
  };
}

function reboot(world: World): void {
  const device = deviceOf(world);
  if (isTrue(getItem(getItem(device, 'active_apn_settings'), 'reset_at_reboot'))) {
    device.set('active_apn_settings', make(apnSettings, {}));
  }
  searchNetwork(world);
}
