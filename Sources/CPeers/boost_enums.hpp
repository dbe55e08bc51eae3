#pragma once

// Three enumerations of Boost 1.74 in the place of its own headers. There they have no underlying type, and clang refuses to step past their
// values, which Boost's templates do.
#define BOOST_NUMERIC_CONVERSION_INT_FLOAT_MIXTURE_ENUM_FLC_12NOV2002_HPP
#define BOOST_NUMERIC_CONVERSION_SIGN_MIXTURE_ENUM_FLC_12NOV2002_HPP
#define BOOST_NUMERIC_CONVERSION_UDT_BUILTIN_MIXTURE_ENUM_FLC_12NOV2002_HPP

namespace boost::numeric {

enum int_float_mixture_enum : int { integral_to_integral, integral_to_float, float_to_integral, float_to_float };
enum sign_mixture_enum : int { unsigned_to_unsigned, signed_to_signed, signed_to_unsigned, unsigned_to_signed };
enum udt_builtin_mixture_enum : int { builtin_to_builtin, builtin_to_udt, udt_to_builtin, udt_to_udt };

}  // namespace boost::numeric
