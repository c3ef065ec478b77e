require "openssl"

# headers: with lower-case names. body: as it was received, before any JSON parser.
def genuine?(headers, body, secret)
  key = secret.delete_prefix("whsec_").unpack1("m")
  raise ArgumentError, "The secret is not set" if key.bytesize < 24
  timestamp = headers["webhook-timestamp"].to_s
  return false unless timestamp.match?(/\A\d{1,12}\z/) && (Time.now.to_i - timestamp.to_i).abs <= 300
  signed = "#{headers["webhook-id"]}.#{timestamp}.".b + body.b
  expected = "v1," + [OpenSSL::HMAC.digest("SHA256", key, signed)].pack("m0")
  # There are two signatures for 24 hours after a rotation.
  headers["webhook-signature"].to_s.split(" ").any? { |given| OpenSSL.secure_compare(given, expected) }
end
